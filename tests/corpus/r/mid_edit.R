area <- function(w, h) {
  w * h
}

whole <- function(x) {
  x$

half <- function(a,
