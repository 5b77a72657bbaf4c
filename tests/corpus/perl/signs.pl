package Queue::7Z;

use strict;

# A name may have parts that begin with a digit.
{
    package Queue::2::First;
    our @ISA = ('Queue::7Z');
}

sub title($) {
    my $title = shift;
    $title =~ tr(-_a-zA-Z0-9 \(\)[]{}%.+/:;,=?*!@#$~')()dc;
    return $title;
}

sub last_one {
    return Queue::2::First->new(title('a'));
}

1;
