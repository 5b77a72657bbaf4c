package Shop::Queue;

# Queues in Perl.
use strict;
use warnings;
use parent -norequire, 'Shop::Container';
use base qw(Exporter Shop::Base);
use List::Util qw(first sum);
use Shop::Log ();
use constant MAX_ITEMS => 1024;
use constant { LOW => 0, HIGH => 9 };
use lib 'lib';
use 5.010;
require Shop::Heap;
require "helpers.pl";

our $VERSION = '1.02';
our @EXPORT_OK = qw(new_queue);
our %LIMITS = (low => LOW, high => HIGH);
my $count = 0;
my ($low, $high) = (1, 2);

=head1 NAME

Shop::Queue - a queue

=cut

# Makes a queue.
sub new {
    my ($class, %args) = @_;
    my $self = {
        items => [],
        limit => $args{limit} // MAX_ITEMS,
    };
    return bless $self, $class;
}

sub push_item {
    my ($self, $item) = @_;
    my $n = $self->size;
    die "full: $n" if $n >= $self->{limit};
    push @{ $self->{items} }, $item;
    $self->{owner} = $item;
    $count++;
    foreach my $other (@{ $self->items }) {
        print "seen $other\n" if $other eq $item;
    }
    for (my $i = 0; $i < $n; $i++) {
        _sift($i);
    }
    my @names = map { $_->name } grep { defined } @{$self->{items}};
    Shop::Log::info("pushed", $item);
    Shop::Log->debug($item);
    &notify($item);
    my $callback = \&_sift;
    $callback->($item);
    return $self;
}

sub size { scalar @{ $_[0]->{items} } }

sub _sift {
    my $i = shift;
    local $_ = $i;
    my $inner = sub { my $x = shift; return $x + $i };
    return $inner->(1);
}

sub merge($left, $right = undef, @rest) {
    return $left->concat($right);
}

sub declared;

sub items : lvalue { $_[0]{items} }

has owner => (is => 'rw', isa => 'Str', default => sub { 'nobody' });
has [qw(first last)] => (is => 'ro');

package Shop::Queue::Node {
    sub value { return $_[0]->SUPER::value() }
}

package Other;

sub new_queue { return Shop::Queue->new(limit => 3) }

my $q = new_queue();
$q->push_item(1)->size;
my $again = Shop::Queue->new;
$again->size;
@ARGV = sort { $a <=> $b } @ARGV;

sub AUTOLOAD { our $AUTOLOAD }

1;

__END__

sub not_code { }
