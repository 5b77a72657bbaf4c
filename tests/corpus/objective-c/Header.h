#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@class Queue;

FOUNDATION_EXPORT NSString *const QueueDidChange;

typedef NSInteger QueueState NS_ENUM;

@protocol QueueDelegate <NSObject>
- (void)queueDidChange:(Queue *)queue;
@end

@interface QueueView : NSObject
@property (nonatomic, strong) Queue *queue;
- (void)reload;
@end

extern void QueueReset(Queue *queue);

NS_ASSUME_NONNULL_END
