@file:JvmName("Stores")

package com.example.store

import java.util.UUID
import kotlin.collections.*
import com.example.net.Client as HttpClient
import com.example.util.Result.Companion.success

/** Bytes by key. */
typealias Blob = Map<String, ByteArray>

const val LIMIT = 10
private val cache = mutableMapOf<String, Store<*>>()
var counter: Int = 0
    private set

val Store<*>.size: Int
    get() = keys.size

val (first, second) = pair()

interface Shelf<out T> : Iterable<T> {
    val name: String
    fun find(key: String): T?
    fun log(text: String) = println("[$name] $text ${text.length}")
}

sealed class State {
    object Idle : State()
    data class Loaded(val items: List<String>, var at: Long = 0) : State()
    data object Failed : State()
}

enum class Level(val weight: Int) : Weighted {
    LOW(1) {
        override fun label() = "low"
    },
    @Deprecated("use LOW") NONE(0);

    abstract fun label(): String

    companion object {
        fun of(n: Int): Level = entries.first { it.weight == n }
    }
}

/**
 * Keeps things.
 */
@Serializable
open class Store<T : Comparable<T>> @Inject constructor(
    private val client: HttpClient,
    protected open val keys: MutableList<String> = mutableListOf(),
    timeout: Int = DEFAULT,
) : Base<T>(timeout), Shelf<T>, Closeable by client {

    private val lock = Any()
    lateinit var owner: Owner
    val isEmpty: Boolean get() = keys.isEmpty()
    override val name by lazy { owner.name ?: "none" }
    var level: Level = Level.LOW
        set(value) {
            field = value
            notifyAll(value)
        }

    init {
        require(timeout > 0) { "timeout" }
        this.owner = Owner(client)
    }

    constructor(name: String) : this(HttpClient(name)) {
        keys.add(name)
    }

    override fun find(key: String): T? {
        val hit = cache[key] as? Store<T> ?: return null
        for ((index, item) in hit.withIndex()) {
            if (item is Closeable && index in 0..LIMIT) item.close()
        }
        return hit.owner?.lookup<T>(key)!!
    }

    internal suspend fun <R> load(vararg ids: UUID, block: suspend Store<T>.(R) -> Unit): Result<R> = coroutineScope {
        fun local(n: Int): Int = n + 1
        val jobs = ids.map { id -> async { client.fetch(id) } }
        try {
            super.load(ids.first())
        } catch (error: IOException) {
            throw StoreException("failed", error)
        }
        val (left, right) = split(jobs)
        when (val state = current()) {
            is State.Loaded -> state.items.forEach(::println)
            State.Idle, null -> Unit
            else -> this@Store.close()
        }
        jobs.sumOf { it.size } shl local(2)
        success(object : Runnable {
            override fun run() { load() }
        })
    }

    @Deprecated("old", ReplaceWith("find(key)"))
    private operator fun get(key: String) = find(key)

    inner class Cursor { var at = 0; fun next() = ++at }

    companion object Factory : StoreFactory {
        const val DEFAULT = 30
        @JvmStatic fun create(): Store<String> = Store("x")
    }
}

object Registry : AbstractRegistry() {
    fun register(store: Store<*>) = apply { stores += store }
}

fun Store<*>.clear() { keys.clear() }

inline fun <reified T> List<T>.second(): T where T : Any = this[1]

fun interface Visitor { fun visit(store: Store<*>) }

annotation class Marker(val why: String = "")

fun html(init: HTML.() -> Unit): HTML = HTML().apply(init)

@OptIn(Unsafe::class)
actual class Checksum {
    fun update(data: Blob) { count(data) }
}

@Target(CLASS, FUNCTION)
annotation class Internal

expect fun platform(): String
external fun native(): Int
