# Each Python kernel runs this when it starts: so a cell that is run alone, before the course is imported, says which
# cells it needs. It defines no name.
__import__("course_lib.explore.notebook")
