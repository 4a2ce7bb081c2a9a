"""The scale model behind `webgym plan`: what a farm of browsers and GPUs would do, in virtual time."""
