-- Where the sandbox clock is being moved to; null when no move is in progress.
alter table business_clock add column moving_to timestamptz;
