-- Settings of the customization that have one value are not kept.

-- migrate:up
UPDATE site SET customization = customization - 'insights' - 'advancedCustomization'
 WHERE customization ?| ARRAY['insights', 'advancedCustomization'];

-- migrate:down
UPDATE site SET customization = customization - 'insights' - 'advancedCustomization'
 WHERE customization ?| ARRAY['insights', 'advancedCustomization'];
