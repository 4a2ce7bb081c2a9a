"""What every website is built of: fonts, icons, pictures, palettes, components."""
