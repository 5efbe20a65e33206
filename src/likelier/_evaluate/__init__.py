"""Looking at a model's assumptions and answers: where columns and terms depend on each other."""
