"""Ways to earn reward without deserving it, made from honest attempts: what a judge must not fall for."""
