#import "Queue.h"
#import <Foundation/Foundation.h>
#import "Store/Disk.h"
@import UIKit;
@class Logger;

#define MAX_ITEMS 1024
#define CLAMP(x, low) ((x) < (low) ? (low) : (x))

static NSString *const QueueErrorDomain = @"shop.queue";
NSInteger QueueLimit = MAX_ITEMS;

typedef void (^QueueHandler)(id item, NSError *error);
typedef NS_ENUM(NSUInteger, QueueLevel) {
    QueueLevelLow,
    QueueLevelHigh = 5,
};

/// Something that holds items.
@protocol Container <NSObject>
@property (nonatomic, readonly) NSUInteger size;
- (BOOL)push:(id)item error:(NSError **)error;
@optional
- (void)clear;
@end

/**
 * A queue in memory.
 */
@interface Queue : NSObject <Container, NSCopying> {
    NSMutableArray *_items;
    BOOL _open;
}
@property (nonatomic, copy) NSString *name;
@property (nonatomic, weak, nullable) id<Container> delegate;
+ (instancetype)queueWithLimit:(NSUInteger)limit;
- (instancetype)initWithLimit:(NSUInteger)limit NS_DESIGNATED_INITIALIZER;
- (void)eachItem:(void (^)(id item))block;
@end

@interface Queue ()
@property (nonatomic, strong) Logger *logger;
@end

static NSUInteger clamp(NSUInteger value) {
    return CLAMP(value, 1);
}

@implementation Queue

@synthesize size = _size;

+ (instancetype)queueWithLimit:(NSUInteger)limit {
    return [[self alloc] initWithLimit:limit];
}

- (instancetype)initWithLimit:(NSUInteger)limit {
    self = [super init];
    if (self) {
        _items = [[NSMutableArray alloc] initWithCapacity:clamp(limit)];
        self.name = @"queue";
    }
    return self;
}

- (BOOL)push:(id)item error:(NSError **)error {
    NSUInteger count = self->_items.count;
    if (count >= QueueLimit) {
        *error = [NSError errorWithDomain:QueueErrorDomain code:QueueLevelHigh userInfo:nil];
        return NO;
    }
    [_items addObject:item];
    [self.logger log:@"pushed %@", item];
    for (id other in _items) {
        NSLog(@"%@", other);
    }
    [self eachItem:^(id each) {
        NSLog(@"%@", each);
    }];
    [self.delegate performSelector:@selector(push:error:) withObject:item];
    Queue *copy = [Queue queueWithLimit:3];
    [copy push:item error:nil];
    dispatch_async(dispatch_get_main_queue(), ^{
        [copy clear];
    });
    @try {
        [self clear];
    } @catch (NSException *exception) {
        NSLog(@"%@", exception.reason);
    } @finally {
        _open = NO;
    }
    @synchronized (self) {
        count++;
    }
    NSDictionary *data = @{ @"a": @(count), @"b": @[ item ] };
    return data != nil;
}

- (void)eachItem:(void (^)(id item))block {
    for (NSUInteger i = 0; i < _items.count; i++) {
        block(_items[i]);
    }
}

@end

@implementation Queue (Sorting)
- (void)sortItems {
    [_items sortUsingSelector:@selector(compare:)];
}
@end

int main(int argc, const char *argv[]) {
    @autoreleasepool {
        Queue *queue = [[Queue alloc] initWithLimit:3];
        [queue push:@"a" error:nil];
        return clamp(queue.size) > 0;
    }
}
