{-# LANGUAGE ScopedTypeVariables #-}
-- | A queue with priorities.
module Data.Queue
  ( Queue (..)
  , Priority
  , insert
  , module Data.Maybe
  , (<+>)
  ) where

import Control.Monad (forM_, when)
import qualified Data.Map.Strict as Map
import Data.List hiding (insert)
import Data.Maybe
import Prelude ((+), Int)

-- | How urgent an item is.
newtype Priority = Priority { unPriority :: Int }
  deriving (Eq, Ord, Show)

data Queue a
  = Empty
  | Node
      { priority :: !Priority
      , item :: a
      , rest :: Queue a
      }
  | a :| (Queue a)

type Items a = [(Priority, a)]

class Container f where
  -- | The empty one.
  empty :: f a
  size :: f a -> Int
  size _ = 0

instance Container Queue where
  empty = Empty
  size q = length (toList q)

data Shape where
  Circle :: Double -> Shape
  Square :: Double -> Shape

-- | Adds an item.
insert :: forall a. Priority -> a -> Queue a -> Queue a
insert p x Empty = Node p x Empty
insert p x q@(Node p' y r)
  | p < p' = Node p x q
  | otherwise = Node p' y (go r)
  where
    go Empty = insert p x Empty
    go other = insert p x other

toList :: Queue a -> [a]
toList Empty = []
toList (Node _ x r) = x : toList r

infixl 6 <+>
(<+>) :: Queue a -> Queue a -> Queue a
a <+> b = foldr (\x q -> insert lowest x q) a (toList b)

lowest :: Priority
lowest = Priority 0

main :: IO ()
main = do
  let q = insert lowest 'a' Empty
  forM_ (toList q) $ \x -> print x
  count <- pure (Map.size Map.empty)
  when (count > 0) $ putStrLn "many"

type family Elem c
foreign import ccall "math.h sin" c_sin :: Double -> Double
pattern Top :: Int
pattern Top = 100

twice' :: Int -> Int
twice' x = x + x
