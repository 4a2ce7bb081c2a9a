"""The families of websites, one package each."""
