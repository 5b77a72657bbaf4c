module MidEdit where

first :: Int -> Int
first x = x + 1

second :: Int -> Int
second y = case y of
  0 -> first (
  
third :: Int
third = second 2
