package app

import io.ktor.server.routing.*
import org.springframework.web.bind.annotation.*

fun Application.module() {
    routing {
        get("/") { call.respond("hi") }
        route("/users") {
            post { create() }
            get("{id}") { show() }
            files()
        }
    }
}

fun Route.files() {
    delete("/files/{name}") { drop() }
}

@RestController
@RequestMapping("/k")
class KController {
    @GetMapping("/{id}")
    fun one(): String = ""

    @RequestMapping(value = ["/x", "/y"], method = [RequestMethod.PUT])
    fun two() {}
}
