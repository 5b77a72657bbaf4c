#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@class Queue;

FOUNDATION_EXPORT NSString *const QueueDidChange;

typedef NSInteger QueueState NS_ENUM;

@protocol QueueDelegate <NSObject>
- (void)queueDidChange:(Queue *)queue;
@end

API_AVAILABLE(ios(14.0), macos(11.0))
@protocol QueueStore <NSObject>
@required
- (nullable id)itemForKey:(nullable NSString *)key
               completion:(nullable void (^)(id item))block API_DEPRECATED_WITH_REPLACEMENT("itemForKey:options:", ios(8.0, API_TO_BE_DEPRECATED));
@optional
- (void)clear API_DEPRECATED("No longer used", ios(8.0, 9.0));
@end

@interface QueueView : NSObject
+ (instancetype)new NS_UNAVAILABLE;
@property (nonatomic, strong) Queue *queue;
- (void)reload;
@end

extern void QueueReset(Queue *queue);

NS_ASSUME_NONNULL_END
