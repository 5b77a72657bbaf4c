import React, { useState } from 'react';

export interface Props { title: string; onClose?: () => void }

/** Shows a dialog. */
export const Dialog: React.FC<Props> = ({ title, onClose }) => {
  const [open, setOpen] = useState<boolean>(true);
  const close = () => setOpen(false);
  return (
    <Modal.Frame open={open} onClose={onClose ?? close}>
      <h1 className="head">{title}</h1>
      <Button<Props> kind="primary" {...{ title }} />
    </Modal.Frame>
  );
};

export default function App() {
  return <><Dialog title="Hi" /></>;
}
