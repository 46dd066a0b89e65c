-- Payments go to accounts abroad as well.
alter table payments drop constraint payments_rail_check;
alter table payments add constraint payments_rail_check
  check (rail in ('account', 'bankgiro', 'plusgiro', 'payment-form', 'cross-border'));
