-- The story of a payment shows its cancellations, also those that have ended.
create index cancellations_payment on cancellations (partner_id, payment_id);
