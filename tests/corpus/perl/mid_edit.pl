use strict;

sub area {
    my ($w, $h) = @_;
    return $w * $h;
}

sub whole {
    my $x = shift;
    $x->

sub half {
    my ($a
