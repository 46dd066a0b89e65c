-- The id of an event is derived from the change that it reports, so that a restored database gives the same change the
-- same id (decision 0121). When and in which order events were recorded is their stamp; older events have none, and
-- their id is it.
alter table events add column stamp uuid;
