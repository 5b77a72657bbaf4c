<?php

namespace Harbour;

use Harbour\Ships\Ship;

/** Where ships lie. */
class Quay
{
    private int $length;

    public function __construct(int $length)
    {
        $this->length = $length;
    }

    public function assign(Ship $ship): int
    {
        return $this->place($ship, $this->length);
    }

    public function release(Ship $ship, {
        if ($ship->moored( {
            log($ship->name

    private function place(Ship $ship, int $at): int
    {
        return $at;
    }

    public function isFree(int $from, int $to): bool
    {
        return $from < $to;
    }
}

function moor(Ship $ship, Quay $quay): int
{
    return $quay->assign($ship);
}
