"""The tables: what training leaves behind. Adding, subtracting and merging are exact, in any order."""
