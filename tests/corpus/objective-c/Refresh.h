#import <UIKit/UIKit.h>

NS_ASSUME_NONNULL_BEGIN
typedef void (^RefreshBlock)(void) RefreshDeprecated("first deprecated in 3.3.0");

BOOL RefreshIsAvailable();

@interface Refresh : UIView {
    UIEdgeInsets _inset;
}
@property (copy, nonatomic, nullable) RefreshBlock endBlock RefreshDeprecated("Use `endAction` instead");
@property (copy, nonatomic, nullable) RefreshBlock endAction;
- (void)endRefreshing;
- (void)make:(void (NS_NOESCAPE ^)(id maker))block;
@end
NS_ASSUME_NONNULL_END
