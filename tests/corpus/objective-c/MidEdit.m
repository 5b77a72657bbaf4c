#import "Area.h"

@implementation Area

- (int)area {
    return self.width * 
}

- (int)whole:(int)x {
    [self 

- (int)half:(int
