package com.example.store

import org.junit.jupiter.api.Test
import io.kotest.core.spec.style.FunSpec

class StoreTest {
    private val store = Store<String>("a")

    @Test
    fun `finds what was put`() {
        assertEquals(1, store.find("a")?.length)
    }

    @ParameterizedTest
    @ValueSource(ints = [1, 2])
    fun sizes(n: Int) {}

    fun helper() = store
}

class StoreSpec : FunSpec({
    test("opens") {
        Store("x").name shouldBe "x"
    }
    context("when closed") {
        should("fail") { Store("y").close() }
    }
})
