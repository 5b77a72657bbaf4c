plugins {
    kotlin("jvm") version "2.0"
    id("application")
}

val ktorVersion: String by project

dependencies {
    implementation("io.ktor:ktor-server:$ktorVersion")
    testImplementation(kotlin("test"))
}

tasks.register<Copy>("bundle") {
    from("src")
}

fun stamp() = "now"
