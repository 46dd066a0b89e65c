-- Whether somebody had signed a payment before this approval began: some banks tell how it ended by the payment alone.
alter table approval_payments add column partly_signed boolean not null default false;
