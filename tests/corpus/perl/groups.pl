package Queue::First;

use strict;

sub new {
    my ($class, %given) = @_;
    return bless { %given }, $class;
}

sub size {
    my ($self) = @_;
    $self->{title} =~ s(a@#$~b)(c);
    return scalar @{ $self->{held} };
}

package Queue::Second;

our @ISA = ('Queue::First');

sub drain {
    my ($self) = @_;
    return $self->size;
}

sub fill {
    my ($self) = @_;
    return $self->drain;
}

1;
