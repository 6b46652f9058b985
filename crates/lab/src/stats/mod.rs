//! Statistics of matches: intervals, ratings, sequential tests, and luck taken out.
