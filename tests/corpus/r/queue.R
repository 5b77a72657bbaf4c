#!/usr/bin/env Rscript
# Queues in R.
library(stats)
require("utils")
suppressPackageStartupMessages(library(dplyr))
source("helpers/log.R")
source(file.path("helpers", "heap.R"), local = TRUE)
requireNamespace("jsonlite")

MAX_ITEMS <- 1024L
.cache <- new.env()
limits = list(low = 0, high = MAX_ITEMS)

#' Makes a queue.
#'
#' @param limit How many items fit.
#' @export
new_queue <- function(limit = MAX_ITEMS, ...) {
  items <- vector("list", limit)
  count <- 0
  check <- function(n) n > count
  for (i in seq_along(items)) {
    items[[i]] <- NA
  }
  structure(list(items = items, count = count, owner = NULL), class = "queue")
}

print.queue <- function(x, ...) {
  cat("queue of", x$count, "\n")
  invisible(x)
}

push = function(q, item) {
  q$items[[q$count + 1]] <- item
  q$count <- q$count + 1
  names(q$items) <- NULL
  total <<- total + 1
  log_event("pushed", item = item)
  stats::median(unlist(q$items))
}

1 -> dropped
pop <- \(q) q$items[[1]]

`%+%` <- function(a, b) paste0(a, b)
"size<-" <- function(x, value) {
  x$limit <- value
  x
}
greeting <- "hello" %+% " world"

setClass("Shape", representation(name = "character", "VIRTUAL"))
setClass("Circle",
  contains = "Shape",
  slots = c(radius = "numeric", unit = "character")
)
setGeneric("area", function(shape, ...) standardGeneric("area"))
setMethod("area", "Circle", function(shape, ...) {
  pi * shape@radius^2
})
setMethod("show", signature(object = "Shape"), function(object) cat(object@name))

Account <- setRefClass("Account",
  fields = list(balance = "numeric"),
  methods = list(
    deposit = function(x) {
      balance <<- balance + x
    }
  )
)

Person <- R6::R6Class("Person",
  inherit = Animal,
  public = list(
    name = NULL,
    initialize = function(name) {
      self$name <- name
      private$born()
    },
    greet = function() {
      cat("Hello, ", self$name)
      invisible(self)
    }
  ),
  private = list(
    age = 0,
    born = function() private$age <- 0
  ),
  active = list(
    years = function(value) private$age
  )
)

if (interactive()) {
  main <- function() push(new_queue(3), 1)
  main()
}

result <- mtcars |>
  subset(cyl == 4) |>
  transform(kpl = mpg * 0.425)
p <- Person$new("Ann")
p$greet()
do.call("push", list(p, 1))
