package com.example.store

import org.scalatest.flatspec.AnyFlatSpec
import munit.FunSuite

class StoreSpec extends AnyFlatSpec with Matchers {
  "A store" should "find what was put" in {
    val store = Store(client)
    assert(store.find("a").isEmpty)
  }

  it should "close" in { store.close() }

  "levels" when {
    "low" should { "be one" in { Level.Low.weight shouldBe 1 } }
  }
}

class StoreSuite extends FunSuite {
  test("opens") {
    assertEquals(Store(client).count, 0)
  }

  private def helper = 1
}

class StoreTest {
  @Test def works(): Unit = ()
}
