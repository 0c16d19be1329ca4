CREATE TABLE `text_stops` (
	`number_hash` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
