"""Who answers prompts: models behind servers, and scripts."""
