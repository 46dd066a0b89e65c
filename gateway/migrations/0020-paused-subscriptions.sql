-- The position of the partner's last event before the subscription was paused; null unless it is.
alter table webhook_subscriptions add column paused_after bigint;
