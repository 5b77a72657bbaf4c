<?php

namespace App;

use App\Node\Expr;

class Narrowed
{
    private $log;
    private static $made;

    public function __construct(Log $log, $any)
    {
        $this->log = $log;
    }

    public static function made()
    {
        self::$made = new Made();
        return self::$made;
    }

    /** @return Shape */
    public function told()
    {
        return $this->find();
    }

    public function run(Expr\Call $call, $any, ?Log $log = null)
    {
        while ($call) {
            $call = $call->next();
        }
        if ($log === null) {
            $log = new NullLog();
        }
        $log->write($any instanceof Expr && $any->name ? $any : null);
        if (!$any instanceof Expr\Call) {
            throw new Fault();
        }
        $any->run();
        \assert($call instanceof Made);
        $parent = $call->parent;
        return $parent->class ?: new Made();
    }
}
