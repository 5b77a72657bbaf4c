function format(value) {
  return String(value);
}

module.exports = { format };
