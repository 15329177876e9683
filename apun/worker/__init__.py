"""Models and voices that pin other libraries, in an environment and a process of their own.

``protocol`` frames messages, ``server`` runs inside the other environment (by path, with the
standard library alone), ``client`` drives it from apun's, ``environments`` makes and finds it.
"""
