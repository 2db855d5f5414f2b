// Placeholder until the page's build lands in the next commit.
