#import "Exported.h"

LIB_EXPORT @protocol Driving <NSObject>
- (void)show:(NSString *)text __deprecated_msg("Use -showAll: instead");
- (void)hide;
@end

LIB_DIRECT_MEMBERS @interface Driver : NSObject <Driving>
- (BOOL)isShown;
@end

@implementation Driver
#pragma clang diagnostic pop
{
    BOOL _shown;
}

- (void)show:(NSString *)text
{
    _shown = YES;
}

- (void)hide
{
    _shown = NO;
}

- (BOOL)isShown
{
    return _shown;
}
@end
