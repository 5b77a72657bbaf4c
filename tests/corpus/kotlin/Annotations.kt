@file:Suppress("unused")

package harbour

@MustBeDocumented
@Retention(value = AnnotationRetention.BINARY)
@RequiresOptIn(
    level = RequiresOptIn.Level.WARNING,
    message = "Who moors here pays." + " Read what it costs."
)
public annotation class PaidApi

/** Nobody pays. */
@MustBeDocumented
@Retention(value = AnnotationRetention.BINARY)
public annotation class FreeApi

@Target(AnnotationTarget.CLASS)
@Moored
class Barge

// Gone soon.
@Moored(Platform::class)
@Delete
class Tug

@Moored
@Named("a")
class Pilot {
    fun board() {}
}

@Moored(Platform.Companion::class)
class Ferry {
    @Substitute
    fun cross(): Int = 1
}
