"""Building blocks shared by all websites: fonts, icons, pictures, palettes, components."""
