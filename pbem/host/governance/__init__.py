"""What the players decide together: petitions, votes, substitutes, remarks."""
