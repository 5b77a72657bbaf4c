<?php

declare(strict_types=1);

namespace App\Orders;

use App\Mail\{Mailer, Message as Letter, function send_later};
use Psr\Log\LoggerInterface;
use DateTimeImmutable as Clock;
use function App\Support\money_format, strlen;
use const App\Support\{TAX, LIMIT as MAX};
use RuntimeException, InvalidArgumentException;

require_once __DIR__ . '/bootstrap.php';
include 'legacy/helpers.inc';

const DEFAULT_CURRENCY = 'EUR', RETRIES = 3;
define('APP_START', microtime(true));

/**
 * What can be paid.
 */
interface Payable extends \Countable, \IteratorAggregate
{
    public const FLAG = 1;

    public function total(): int;
}

enum Status: string implements HasLabel
{
    use Labels;

    const Default = self::Open;

    case Open = 'open';
    #[Deprecated]
    case Closed = 'closed';

    public static function guess(string $text): self
    {
        return self::tryFrom($text) ?? static::Default;
    }
}

trait Loggable
{
    protected ?LoggerInterface $logger = null;

    abstract protected function channel(): string;

    public function log(string $message, mixed ...$context): static
    {
        $this->logger?->info($message, $context);
        return $this;
    }
}

/** Books orders. */
#[Service(name: 'orders'), Final]
final class OrderService extends BaseService implements Payable, Contracts\Bookable
{
    use Loggable, Cached {
        Cached::log insteadof Loggable;
        Loggable::log as protected writeLog;
    }

    private static ?self $instance;
    public array $items = [], $extra;
    var $legacy;

    public string $label {
        get => strtoupper($this->label);
        set { $this->label = $value; }
    }

    public function __construct(
        private readonly Mailer $mailer,
        #[Inject] protected ?Repository $orders = null,
        int $timeout = self::TIMEOUT,
    ) {
        parent::__construct($mailer->name);
        $this->orders = $orders ?? new Repository();
    }

    private const TIMEOUT = 30;

    /** @deprecated use place() */
    public function book(Order $order, callable|null $then = null): Receipt|false
    {
        global $config;
        static $count = 0;
        foreach ($order->lines as $sku => [$amount, 'price' => $price]) {
            $this->items[$sku] = money_format($amount * $price);
        }
        try {
            $this->orders->save($order)->flush();
            self::$instance->mailer->send(new Letter("Order {$order->id} of $order->name"));
        } catch (RuntimeException | \LogicException $error) {
            throw new InvalidArgumentException($error->getMessage(), previous: $error);
        }
        $sum = array_map(fn (Line $line): int => $line->price * RETRIES, $order->lines);
        $report = function () use ($order, &$count): void {
            $count++;
            $this->log(<<<TEXT
                Booked {$order->getId()} for $order->total
                TEXT);
        };
        $report();
        $class = Receipt::class;
        $made = new class($order) extends Receipt implements \JsonSerializable {
            public function __construct(private Order $order) {}

            public function jsonSerialize(): array
            {
                return ['id' => $this->order->id, 'sql' => <<<'SQL'
                    SELECT * FROM orders
                    SQL];
            }
        };
        return match (true) {
            $order instanceof Rush => Status::Open->value,
            default => $then ? $then($made) : Clock::createFromFormat('U', (string) $count),
        };
    }

    public static function getInstance(): static
    {
        return static::$instance ??= new static(mailer: \App\Mail\mailer());
    }

    public function total(): int { return count($this->items) + \strlen(TAX) + namespace\half(4); }
}

function half(int|float $n): float
{
    function inner_helper() { return 1; }
    return $n / 2;
}

if (!function_exists('legacy_half')) {
    function legacy_half($n) { return half($n); }
}
