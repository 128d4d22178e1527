-- The roles that the customer may give to groups with a setup link, as JSON; null: none.
alter table setup_links add column roles text;
