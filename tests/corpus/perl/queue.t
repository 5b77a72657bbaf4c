#!/usr/bin/perl
use Test::More tests => 2;
use_ok('Shop::Queue');

sub helper { return Shop::Queue->new }

subtest 'pushes items' => sub {
    my $q = helper();
    is($q->size, 0, 'empty');
};

subtest "takes them", sub {
    my $q = helper();
    ok $q;
};
done_testing;
