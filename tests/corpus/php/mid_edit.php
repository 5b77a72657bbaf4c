<?php

namespace App;

class Half
{
    public function before() { return 1; }

    public function typing($name)
    {
        $x = $name->
    }

    public function after() { return $this->before(); }

    public function open($a, {

    public function last() { return self::after(); }
}

class Next
{
    private $field = ;
    public function still() { return (new Half)->after(; }
}
