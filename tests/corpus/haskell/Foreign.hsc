module Foreign where

#include <stdio.h>

import Foreign.C.Types (CInt (..))

data Status = Ended | Going

decode :: CInt -> Maybe Status
decode = \case
  (#const EOF) -> Just Ended
  (#const GOING) -> Just Going
  _ -> Nothing

encode :: Status -> CInt
encode = \case
  Ended -> #const EOF
  Going -> #const GOING

size :: Int
size = #{size struct status}

width :: (#type int) -> Int
width _ = (#alignment int)
