package app

import jakarta.ws.rs.ApplicationPath

@ApplicationPath("/rest")
class Program : Application()
