-- An event may be about any resource; until now all were about testimonials.
ALTER TABLE "webhook_events" RENAME COLUMN "testimonial_id" TO "resource_id";
ALTER INDEX "webhook_events_testimonial_id_idx" RENAME TO "webhook_events_resource_id_idx";
