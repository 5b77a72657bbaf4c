#import <XCTest/XCTest.h>
#import "Queue.h"

@interface QueueTests : XCTestCase
@end

@implementation QueueTests {
    Queue *_queue;
}

- (void)setUp {
    _queue = [Queue queueWithLimit:2];
}

- (void)testPushAddsAnItem {
    XCTAssertTrue([_queue push:@"a" error:nil]);
}
@end
