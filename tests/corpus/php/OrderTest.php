<?php

namespace Tests { 

use PHPUnit\Framework\TestCase;
use PHPUnit\Framework\Attributes\{Test, DataProvider};

class OrderTest extends TestCase
{
    protected function setUp(): void { $this->service = new \App\Orders\OrderService(); }

    public function testBooks(): void
    {
        $this->assertSame(1, $this->service->total());
    }

    #[Test]
    #[DataProvider('cases')]
    public function it_counts(int $n): void {}

    /** @test */
    public function itAnnotated() {}

    private function helper() {}
}
}

namespace {

    it('books an order', function () {
        expect(app(OrderService::class)->total())->toBe(1);
    })->group('slow');

    describe('totals', function () {
        test("adds up", fn () => expect(true)->toBeTrue());
    });
}
