library(testthat)
context("queues")

helper <- function() new_queue(1)

test_that("push adds an item", {
  q <- helper()
  expect_equal(push(q, 1)$count, 1)
})

describe("pop", {
  it("takes the first", {
    q <- helper()
    expect_true(is.null(pop(q)))
  })
})
