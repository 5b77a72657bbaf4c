#!/usr/bin/env julia
using Test
using Queues
include("../src/helpers.jl")

@testset "Queues" begin
    q = Queue(3)
    @test capacity(q) == 3
    @testset "push" begin
        push!(q, 1)
        @test_throws BoundsError push!(q, 2)
    end
    @testset "limit $n" for n in 1:3
        @test n > 0
    end
end

@testitem "item" begin
    @test true
end

function setup()
    Queue(1)
end
