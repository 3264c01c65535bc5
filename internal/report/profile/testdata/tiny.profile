{"opari_profile":2,"program":"./tiny","pid":25030,"wall_ns":60781243,"threads":2,"lost":0,"clock":"tsc"}
{"region":1,"name":"parallel","sub_name":"","directive":"parallel","file":"tiny.c","begin":[21,21],"end":[22,22],"outer":0,"kind":"parallel","num_sections":0,"facts":4}
{"path":1,"parent":0,"region":1}
{"path":1,"thread":0,"count":1,"incl":732021,"excl":732021,"min":732021,"max":732021,"body":1285,"barrier":1070,"wait":0,"hold":0}
{"region":2,"name":"parallel","sub_name":"","directive":"parallel for","file":"tiny.c","begin":[26,26],"end":[28,28],"outer":0,"kind":"parallel","num_sections":0,"facts":4}
{"path":2,"parent":0,"region":2}
{"path":2,"thread":0,"count":10000,"incl":57319642,"excl":32771764,"min":1539,"max":9323959,"body":24970478,"barrier":0,"wait":0,"hold":0}
{"region":3,"name":"for","sub_name":"","directive":"parallel for","file":"tiny.c","begin":[26,26],"end":[28,28],"outer":2,"kind":"for","num_sections":0,"facts":0}
{"path":3,"parent":2,"region":3}
{"path":3,"thread":0,"count":10000,"incl":24547878,"excl":24547878,"min":560,"max":8117372,"body":2701855,"barrier":21846023,"wait":0,"hold":0}
{"path":1,"thread":1,"count":1,"incl":48283,"excl":48283,"min":48283,"max":48283,"body":2369,"barrier":45914,"wait":0,"hold":0}
{"path":2,"thread":1,"count":10000,"incl":24702571,"excl":3268963,"min":566,"max":8118388,"body":24702571,"barrier":0,"wait":0,"hold":0}
{"path":3,"thread":1,"count":10000,"incl":21433608,"excl":21433608,"min":387,"max":8116969,"body":3161379,"barrier":18272230,"wait":0,"hold":0}
