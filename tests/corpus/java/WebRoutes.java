package app;

import org.springframework.web.bind.annotation.*;
import javax.ws.rs.*;

@RestController
@RequestMapping("/owners/{ownerId}")
class OwnerController {
    static final String PETS = "/pets";

    @GetMapping
    String list() { return ""; }

    @GetMapping({"/a", "/b"})
    String two() { return ""; }

    @RequestMapping(value = PETS + "/new", method = {RequestMethod.GET, RequestMethod.POST})
    String make() { return ""; }

    @DeleteMapping(path = "/{id}", produces = "x")
    void drop() {}

    void plain() {}
}

@Path("/res")
class Resource {
    @GET
    @Path("{id}")
    public String one() { return ""; }

    @POST
    public void add() {}
}

@FeignClient("other")
interface Other {
    @GetMapping("/asked")
    String asked();
}

class Jobs {
    @Scheduled(fixedRate = 5)
    void sweep() {}

    @KafkaListener(topics = "orders")
    void order() {}
}

@ApplicationPath("rest")
class Program extends Application {}

@MessageDriven(mappedName = "q")
class Receiver {}
