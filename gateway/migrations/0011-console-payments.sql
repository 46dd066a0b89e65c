-- The story of a payment shows the deliveries that were repeated for it; their ids are not derived from its events.
create index webhook_deliveries_repeated on webhook_deliveries (partner_id, subject_id, id) where retried_manually;
